// `npm run soak`: half an hour of mixed load in n8n's engine, and what memory it keeps. --minutes=…: another time.
import { launch } from './launch.mjs';

launch('soak/main.ts');
