import pg from 'pg';

/** Names of the roles. */
interface Roles {
  /** Owns the schema and changes it: `mdw migrate`, `mdw drop`. */
  migrate: string;
  /** Writes the chain: `mdw -p`, `mdw -H`, `mdw accept-reorg`. */
  populate: string;
  /** Reads for clients: `mdw -s`, `mdw -v`. */
  serve: string;
  /** Reads for people and their own programs. */
  reader: string;
}

/** Tables to which only the owner of the schema writes: with migrations, drops and records. */
const OF_OWNER = ['migrations', 'marker', 'serving'];

/**
 * SQL that creates the roles, without a login, and grants each the privileges that it needs in a schema, also on tables of later
 * migrations. An administrator of the database runs it before the first migration or later, and may run it again.
 */
export function grants(schema: string, roles: Roles): string {
  const name = pg.escapeIdentifier(schema);
  const { migrate, populate, serve, reader } = Object.fromEntries(
    Object.entries(roles).map(([role, text]: [string, string]) => [role, pg.escapeIdentifier(text)]),
  ) as unknown as Roles;
  const created = Object.values(roles as unknown as Record<string, string>).map(
    (role) =>
      `  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${pg.escapeLiteral(role)}) THEN CREATE ROLE ${pg.escapeIdentifier(role)}; END IF;`,
  );
  const withheld = OF_OWNER.map(
    (table) =>
      `  IF to_regclass(${pg.escapeLiteral(`${name}.${table}`)}) IS NOT NULL THEN REVOKE INSERT, UPDATE, DELETE ON ${name}.${table} FROM ${populate}; END IF;`,
  );
  return `-- Roles of one copy of the chain. They have no login: grant them to your users, or give them one
-- (ALTER ROLE ${serve} LOGIN PASSWORD '...').
DO $$ BEGIN
${created.join('\n')}
END $$;
CREATE SCHEMA IF NOT EXISTS ${name} AUTHORIZATION ${migrate};
GRANT USAGE, CREATE ON SCHEMA ${name} TO ${migrate};
GRANT USAGE ON SCHEMA ${name} TO ${populate}, ${serve}, ${reader};
GRANT SELECT ON ALL TABLES IN SCHEMA ${name} TO ${populate}, ${serve}, ${reader};
GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${name} TO ${populate};
ALTER DEFAULT PRIVILEGES FOR ROLE ${migrate} IN SCHEMA ${name} GRANT SELECT ON TABLES TO ${populate}, ${serve}, ${reader};
ALTER DEFAULT PRIVILEGES FOR ROLE ${migrate} IN SCHEMA ${name} GRANT INSERT, UPDATE, DELETE ON TABLES TO ${populate};
-- Only the owner writes here. Tables made later get all rights first: run this once more after the first migration.
DO $$ BEGIN
${withheld.join('\n')}
END $$;
`;
}
