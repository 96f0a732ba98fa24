/** Something a person can do something about. Its message says what happened, and how to get going again. */
export class Trouble extends Error {}
