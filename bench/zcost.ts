import { startGateway } from './gateway';
import { createTexts, sendersTo } from './engine';
const median = (a: number[]) => [...a].sort((x, y) => x - y)[a.length >> 1]!;
async function main() {
	const gateway = await startGateway();
	const { ours, floor } = sendersTo(gateway.account) as any;
	const texts = createTexts(1000);
	for (let i = 0; i < 2; i++) { await gateway.reset(0); await floor(texts); await gateway.reset(0); await ours(texts); }
	const r: number[] = [], w: number[] = [];
	for (let i = 0; i < Number(process.env.N ?? 9); i++) {
		await gateway.reset(0); const a = await floor(texts);
		await gateway.reset(0); const b = await ours(texts);
		r.push(b.cpuMs / a.cpuMs); w.push(b.ms / a.ms);
	}
	console.log('cpu', median(r).toFixed(3), 'time', median(w).toFixed(3), r.map((x) => x.toFixed(2)).join(' '));
	process.exit();
}
void main();
