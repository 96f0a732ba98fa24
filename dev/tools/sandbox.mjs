// `npm run sandbox [-- --port N] [--latency MS] [--fresh]`: starts the local gateway.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
// Resolved URLs: TypeScript has no types for tsx, and rejects an import path that ends in .ts.
await import(import.meta.resolve('tsx'));
await import(import.meta.resolve('../sandbox/main.ts'));
