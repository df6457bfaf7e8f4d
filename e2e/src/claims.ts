import { showStep } from "@trimtab/tooling/step";

/** Tells how far a claim's proof is. */
export type Progress = (line: string) => void;

/** Claims, shown and counted as they are proven. */
export class Claims {
  passed = 0;
  failed = 0;

  /** @throws {Error} whatever `proof` throws: what comes after leans on it */
  async hold<T>(claim: string, proof: (progress: Progress) => Promise<T>): Promise<T> {
    try {
      const result = await showStep(claim, proof);
      this.passed++;
      return result;
    } catch (error) {
      this.failed++;
      throw error;
    }
  }
}
