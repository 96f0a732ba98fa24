import type { Fault, RecordedRequest, Sandbox, SandboxOptions } from '../sandbox/sandbox';
import { startSandbox } from '../sandbox/sandbox';
import type { Account } from './engine';

export interface Gateway extends Sandbox {
	account: Account;
	/** The one request that came in since the last look. */
	theRequest(): RecordedRequest;
	answerWith(body: Fault['body'], rest?: Fault): void;
}

/** A sandbox for the tests of one file, paired and online before each of them. */
export function useGateway(options: SandboxOptions = {}): Gateway {
	const gateway = {} as Gateway;
	beforeAll(async () => await open(gateway, options));
	beforeEach(() => {
		gateway.reset();
		gateway.setStatus('ONLINE');
	});
	afterAll(async () => await gateway.close());
	return gateway;
}

/** A sandbox of its own for each test: of an account the node remembers clock and brake. */
export function useNewGateways(options: SandboxOptions = {}): Gateway {
	const gateway = {} as Gateway;
	beforeEach(async () => {
		await open(gateway, options);
		gateway.setStatus('ONLINE');
	});
	afterEach(async () => await gateway.close());
	return gateway;
}

async function open(gateway: Gateway, options: SandboxOptions) {
	const sandbox = await startSandbox(options);
	const { baseUrl, token, secret } = sandbox;
	Object.assign(gateway, sandbox, {
		account: { baseUrl, token, secret },
		theRequest() {
			const requests = sandbox.requests();
			expect(requests).toHaveLength(1);
			return requests[0]!;
		},
		answerWith(body: Fault['body'], rest: Fault = {}) {
			sandbox.faults([{ body, ...rest }]);
		},
	});
}
