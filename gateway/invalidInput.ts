/** Something a person entered cannot be sent. The message names the field, the description the way out. */
export class InvalidInput extends Error {
	constructor(
		message: string,
		readonly description: string,
	) {
		super(message);
		this.name = 'InvalidInput';
	}
}
