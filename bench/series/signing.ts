import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';

import type * as signature from '../../gateway/signature';
import { serveSeries } from '../childProcess';
import { interleave } from '../timing';
import type { Workload } from '../workload';

/** Microseconds per signature, one entry per round. */
export interface Signing {
	ours: number[];
	bare: number[];
}

const REPEATS = 20_000;
const BODY_BYTES = 1_000;

const { signatureHeaders, SIGNATURE_HEADER } = createRequire(__filename)(
	'../../dist/gateway/signature.js',
) as typeof signature;

async function signing({ rounds }: Workload): Promise<Signing> {
	const signer = { token: 'a-token-of-some-24-chars', secret: 'a secret of thirty-two characters' };
	const timestamp = Date.now();
	const body = Buffer.alloc(BODY_BYTES, 'a message of some length, ');
	const message = Buffer.concat([Buffer.from(`${timestamp}${signer.token}`), body]);

	const withHeaders = () => signatureHeaders(signer, body, timestamp)[SIGNATURE_HEADER];
	const bare = () => createHmac('sha256', signer.secret).update(message).digest('hex');
	if (withHeaders() !== bare()) throw new Error('The two signatures differ.');

	const time = async (sign: () => unknown) => microsecondsOf(sign);
	await interleave([withHeaders, bare], 1, time);
	const [ours, bareHmac] = await interleave([withHeaders, bare], rounds, time);
	return { ours: ours!, bare: bareHmac! };
}

function microsecondsOf(work: () => unknown): number {
	const startedAt = performance.now();
	for (let i = 0; i < REPEATS; i++) work();
	return ((performance.now() - startedAt) / REPEATS) * 1000;
}

serveSeries(signing);
