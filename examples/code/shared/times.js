/** As a person reads it, in n8n's time zone. */
const timeOf = (time) =>
	DateTime.fromMillis(new Date(time).getTime()).setZone($now.zoneName).toFormat('yyyy-LL-dd HH:mm');

/** 0 without a time. */
const millis = (time) => (time ? new Date(time).getTime() : 0);

module.exports = { timeOf, millis };
