// `npm run soak`: runs mixed load in n8n's engine for half an hour and watches the memory. --minutes=…: another duration.
import { launch } from './launch.mjs';

launch('soak/main.ts');
