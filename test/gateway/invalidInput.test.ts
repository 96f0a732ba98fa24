import { InvalidInput } from '../../gateway/inputValues';

test('has a message and a description with the fix', () => {
	const error = new InvalidInput("'Chat ID' is empty", 'Enter a phone number.');
	expect(error).toBeInstanceOf(Error);
	expect(error).toMatchObject({
		name: 'InvalidInput',
		message: "'Chat ID' is empty",
		description: 'Enter a phone number.',
	});
});
