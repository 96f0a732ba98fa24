/** As a person reads it. */
const timeOf = (time, zone = $now.zoneName) =>
	DateTime.fromMillis(new Date(time).getTime()).setZone(zone).toFormat('yyyy-LL-dd HH:mm');

module.exports = { timeOf };
