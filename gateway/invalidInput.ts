/** A value that the user entered cannot be sent. The message names the field, and the description says what to do. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description: string,
		/** Set if the same input may be valid later, such as a file that cannot be downloaded now. */
		readonly temporary?: { requestedWaitMs?: number },
		/** The cause, for workflows, if it is not the usual one of an invalid input. */
		readonly causeName?: string,
	) {
		super(message);
		this.name = 'InvalidInput';
	}
}

/** The credential, or an option of the whole run, cannot be used. The messages themselves may be valid. */
export class InvalidSetup extends Error {
	constructor(cause: unknown) {
		super('', { cause });
	}
}
