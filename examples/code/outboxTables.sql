-- Two runs can start at once, and CREATE TABLE IF NOT EXISTS fails if both create it.
DO $$
BEGIN
PERFORM pg_advisory_xact_lock(hashtext('messaging_outbox'));
CREATE TABLE IF NOT EXISTS messaging_outbox (
	id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	request_id text NOT NULL UNIQUE,
	recipient text NOT NULL,
	text text NOT NULL,
	number text NOT NULL DEFAULT '',
	status text NOT NULL DEFAULT 'pending',
	attempts integer NOT NULL DEFAULT 0,
	reason text NOT NULL DEFAULT '',
	next_attempt_at timestamptz NOT NULL DEFAULT now(),
	send_at timestamptz,
	expires_at timestamptz,
	sent_at timestamptz,
	claimed_by text,
	lease_until timestamptz,
	created_at timestamptz NOT NULL DEFAULT now(),
	updated_at timestamptz NOT NULL DEFAULT now(),
	-- Two spellings of a number end in the same digits.
	chat text GENERATED ALWAYS AS (coalesce(nullif(right(regexp_replace(recipient, '\D', '', 'g'), 7), ''), recipient)) STORED
);
CREATE INDEX IF NOT EXISTS messaging_outbox_pending ON messaging_outbox (id) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS messaging_outbox_expiring ON messaging_outbox (expires_at) WHERE status = 'pending' AND expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS messaging_outbox_sending ON messaging_outbox (number, chat) WHERE status = 'sending';
CREATE INDEX IF NOT EXISTS messaging_outbox_updated ON messaging_outbox (updated_at);
-- The pace and the counter of each number.
CREATE TABLE IF NOT EXISTS messaging_pace (
	number text PRIMARY KEY,
	tokens double precision NOT NULL,
	filled_at timestamptz NOT NULL,
	day text NOT NULL,
	sent integer NOT NULL
);
END $$;
