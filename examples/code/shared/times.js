/** As a person reads it, in n8n's time zone. */
const timeOf = (time) =>
	DateTime.fromMillis(new Date(time).getTime()).setZone($now.zoneName).toFormat('yyyy-LL-dd HH:mm');

module.exports = { timeOf };
