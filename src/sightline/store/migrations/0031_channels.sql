-- Webhooks that lead to a channel of a chat: of one watch, in the chat's own form, with quiet hours.

ALTER TABLE webhooks ADD kind text NOT NULL DEFAULT 'webhook';  -- or slack, teams
ALTER TABLE webhooks ADD watch_id uuid;             -- of a channel: whose alerts go there
ALTER TABLE webhooks ADD sealed_url bytea;          -- of a channel: its address is its secret
ALTER TABLE webhooks ADD url_digest bytea;          -- tells channels apart
ALTER TABLE webhooks ADD quiet_from smallint;       -- hours of the day, in `zone`
ALTER TABLE webhooks ADD quiet_until smallint;
ALTER TABLE webhooks ADD zone text NOT NULL DEFAULT 'UTC';
ALTER TABLE webhooks ADD CONSTRAINT webhooks_watch FOREIGN KEY (organization_id, watch_id)
  REFERENCES watches ON DELETE CASCADE NOT VALID;
