-- Parameters: claim, messages per minute, daily cap, day, rows at most, and when the worker asked.
-- Rows of a run whose lease has ended.
UPDATE messaging_outbox SET status = 'pending', sent_at = coalesce(sent_at, now()), updated_at = now(),
	reason = 'The run that was sending it did not finish; unknown: it may have been sent'
WHERE id IN (SELECT id FROM messaging_outbox WHERE status = 'sending' AND lease_until < now() FOR UPDATE SKIP LOCKED);
-- Rows that were not sent in time.
UPDATE messaging_outbox SET status = CASE WHEN sent_at IS NULL THEN 'expired' ELSE 'unknown' END, updated_at = now()
WHERE id IN (SELECT id FROM messaging_outbox WHERE status = 'pending' AND expires_at <= now() FOR UPDATE SKIP LOCKED);
-- What each number may send now. The rows stay locked until the claim is made, so only one run at a time claims for a number.
INSERT INTO messaging_pace AS pace (number, tokens, filled_at, day, sent)
SELECT DISTINCT number, greatest(1, $2 / 5.0), now(), $4, 0
FROM (SELECT number FROM messaging_outbox WHERE status = 'pending' AND next_attempt_at <= now() ORDER BY id LIMIT 200) AS due
ORDER BY number
ON CONFLICT (number) DO UPDATE SET
	tokens = least(greatest(1, $2 / 5.0), pace.tokens + greatest(0, extract(epoch FROM now() - pace.filled_at)) * $2 / 60.0),
	filled_at = now(), day = $4, sent = CASE WHEN pace.day = $4 THEN pace.sent ELSE 0 END;
-- The oldest due row of each chat, unless one to that chat is being sent.
WITH due AS (
	SELECT id, number, chat FROM messaging_outbox AS each
	WHERE status = 'pending' AND next_attempt_at <= now() AND NOT EXISTS (
		SELECT FROM messaging_outbox AS other
		WHERE other.status = 'sending' AND other.number = each.number AND other.chat = each.chat)
	ORDER BY id LIMIT 200
), first AS (
	SELECT DISTINCT ON (number, chat) id, number FROM due ORDER BY number, chat, id
), placed AS (
	SELECT id, number, row_number() OVER (PARTITION BY number ORDER BY id) AS place FROM first
), free AS (
	SELECT id FROM messaging_outbox
	WHERE status = 'pending' AND id IN (
		SELECT placed.id FROM placed JOIN messaging_pace AS pace USING (number)
		WHERE ($2 = 0 OR place <= floor(pace.tokens)) AND ($3 = 0 OR place <= $3 - pace.sent)
		ORDER BY placed.id LIMIT $5)
	FOR UPDATE SKIP LOCKED
), claimed AS (
	UPDATE messaging_outbox AS own
	SET status = 'sending', claimed_by = $1, lease_until = now() + interval '5 minutes', updated_at = now()
	FROM free WHERE own.id = free.id
	RETURNING own.*
), counted AS (
	UPDATE messaging_pace AS pace SET tokens = tokens - claims.rows, sent = sent + claims.begun
	FROM (SELECT number, count(*) AS rows, count(*) FILTER (WHERE sent_at IS NULL) AS begun FROM claimed GROUP BY number) AS claims
	WHERE pace.number = claims.number
)
SELECT id, request_id AS "requestId", recipient, text, number, attempts, reason, claimed_by AS "claimedBy", $6 AS "askedAt",
	to_json(sent_at) #>> '{}' AS "sentAt", to_json(expires_at) #>> '{}' AS "expiresAt"
FROM claimed ORDER BY id;
