// client-node's declarations lead to those of isomorphic-ws, which needs types of ws that it does not bring.
declare module "ws";
