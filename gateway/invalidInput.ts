/** A value that the user entered cannot be sent. The message names the field, the description says what to do. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InvalidInput';
	}
}
