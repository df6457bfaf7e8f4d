const ellipsis = "…";
const encoder = new TextEncoder();

/** The text, or what of it fits into so many bytes of UTF-8, cut between two characters and ended by `…`. */
export function truncate(text: string, maxBytes: number): string {
  // No character takes more than three bytes for each of its UTF-16 units.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const room = new Uint8Array(maxBytes - Buffer.byteLength(ellipsis));
  return text.slice(0, encoder.encodeInto(text, room).read) + ellipsis;
}
