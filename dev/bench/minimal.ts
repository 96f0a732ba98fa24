/**
 * `node dev/bench/launch.mjs minimal.ts`: fails if Send needs more than 1.05 of the CPU time of a minimal node that reads two fields and
 * posts them, so that a change that makes messages more expensive does not go unnoticed. CPU time, because other load on the machine
 * changes it least. The nightly run calls it.
 */
import { createTexts, sendersTo } from './engine';
import { startGateway } from './gateway';
import { measure, ratioOf } from './series';

const ROUNDS = 7;
const AT_MOST = 1.05;

async function main(): Promise<void> {
	const gateway = await startGateway();
	const texts = createTexts(1_000);
	const cases = Object.entries(sendersTo(gateway.account)).map(([name, send]) => ({
		name,
		run: async () => {
			await gateway.reset(0);
			return await send(texts);
		},
	}));
	const { samples } = await measure({ title: 'Send', warmUps: 2, cases, targets: [] }, ROUNDS);
	const [time, cpu] = (['ms', 'cpuMs'] as const).map((measured) =>
		ratioOf(samples, measured, 'ours', 'floor'),
	);
	const isMet = cpu! <= AT_MOST;
	console.log(
		`Send / minimal node, median of ${ROUNDS} alternating rounds: time ${time!.toFixed(2)}, CPU ${cpu!.toFixed(2)}; at most ${AT_MOST} of the CPU time.`,
	);
	console.log(isMet ? '1 passed, 0 failed' : '0 passed, 1 failed');
	process.exit(isMet ? 0 : 1);
}

void main();
