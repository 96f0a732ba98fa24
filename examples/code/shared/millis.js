/** A time as milliseconds since 1970; 0 without a time. */
const millis = (time) => (time ? new Date(time).getTime() : 0);

module.exports = { millis };
