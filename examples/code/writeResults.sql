-- Parameters: claim, rows. A row that another run has claimed since is left alone.
WITH result AS (
	SELECT * FROM jsonb_to_recordset($2::jsonb) AS each (
		id integer, status text, attempts integer, "nextAttemptAt" timestamptz, reason text, "sentAt" timestamptz)
), written AS (
	UPDATE messaging_outbox AS own
	SET status = result.status, attempts = result.attempts, next_attempt_at = result."nextAttemptAt",
		reason = result.reason, sent_at = result."sentAt", updated_at = now()
	FROM result WHERE own.id = result.id AND own.claimed_by = $1
	RETURNING own.number, own.sent_at
), counted AS (
	UPDATE messaging_pace AS pace SET sent = greatest(0, sent - unsent.rows)
	FROM (SELECT number, count(*) AS rows FROM written WHERE sent_at IS NULL GROUP BY number) AS unsent
	WHERE pace.number = unsent.number
)
SELECT count(*)::integer AS written FROM written;
