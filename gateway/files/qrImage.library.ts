export { zlibSync } from 'fflate';
// The main entry of `qrcode` includes a PNG writer that needs process, streams and zlib, which n8n's
// scanner rejects. Its core needs none of them.
export { create } from 'qrcode/lib/core/qrcode';
