-- Users as identity providers know them.

CREATE TABLE user_identities (
  organization_id uuid NOT NULL REFERENCES organizations,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (organization_id, issuer, subject),
  UNIQUE (organization_id, issuer, user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES users
);

SELECT pg_temp.protect_tenant_tables('user_identities');
