import { InvalidInput } from '../../gateway/invalidInput';

test('says what is wrong and, beside it, the way out', () => {
	const refusal = new InvalidInput("'Chat ID' is empty", 'Enter a phone number.');
	expect(refusal).toBeInstanceOf(Error);
	expect(refusal).toMatchObject({
		name: 'InvalidInput',
		message: "'Chat ID' is empty",
		description: 'Enter a phone number.',
	});
});
