// `npm run check-gateway -- <base URL>`: finds out what the API document leaves open, on a real account.
import { ensureInstalled } from './install.mjs';

ensureInstalled();
// Resolved URLs: TypeScript has no types for tsx, and rejects an import path that ends in .ts.
await import(import.meta.resolve('tsx'));
await import(import.meta.resolve('../gatewayCheck/main.ts'));
