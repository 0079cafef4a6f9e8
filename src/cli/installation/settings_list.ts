/** A setting: its default, its purpose in one line, and whether its value is secret and never printed. */
export type Setting = { name: string; unset: string; about: string; isSecret?: true }

/** Settings under the heading of what they are for. `.env.example` is made of them (npm run generate). */
export const SETTINGS: Readonly<Record<string, readonly Setting[]>> = {
  Service: [
    { name: 'BASE_URL', unset: 'http://localhost:$PORT', about: 'Address that people and clients use' },
    { name: 'PORT', unset: '3000', about: 'Port to listen on' },
    { name: 'HOST', unset: '127.0.0.1', about: 'Address to listen on' },
    { name: 'AUTH_URL', unset: '{BASE_URL}/auth/v1', about: 'Issuer of access tokens' },
    { name: 'NODE_ENV', unset: '', about: 'With production, no demo company is made on an empty database' },
    { name: 'SERVICE_NAME', unset: 'svc', about: 'Name told to MCP clients' },
    { name: 'PROCESSES', unset: '1', about: 'Processes that answer at the one port, up to 256, or max' },
    { name: 'STOP_DELAY', unset: '5', about: 'Seconds that a service which is stopping goes on to answer' },
    { name: 'LOG_LEVEL', unset: 'info', about: 'Least level that is logged' },
    {
      name: 'TRUSTED_PROXIES',
      unset: 'loopback and private ranges',
      about: 'Reverse proxies in front, comma-separated',
    },
    { name: 'ALLOWED_ORIGINS', unset: 'none', about: 'Browser origins that may call /api/mcp, comma-separated' },
    { name: 'HSTS_SUBDOMAINS', unset: 'no', about: 'yes: https for every host below that of BASE_URL' },
    { name: 'RATE_LIMIT_PER_CREDENTIAL', unset: '1200', about: 'Requests a minute; 0 for no limit' },
    { name: 'RATE_LIMIT_PER_TENANT', unset: '6000', about: 'The same for all credentials of a company' },
  ],
  Data: [
    {
      name: 'DATABASE_URL',
      unset: 'an embedded server under DATA_DIR',
      about: 'PostgreSQL 15 or later',
      isSecret: true,
    },
    {
      name: 'DATABASE_APP_URL',
      unset: 'a login role that is made',
      about: 'Login of the service there',
      isSecret: true,
    },
    { name: 'DATABASE_CONNECTIONS', unset: '10', about: 'Connections of one process, 3 to 200' },
    { name: 'DATA_DIR', unset: './data', about: 'Folder of the embedded database and of files' },
    {
      name: 'DATA_KEY',
      unset: 'DATA_DIR/data.key',
      about: 'Key that seals secrets: openssl rand -base64 32',
      isSecret: true,
    },
    { name: 'DATA_KEY_PREVIOUS', unset: '', about: 'Key before it, during a change', isSecret: true },
    { name: 'STORAGE_URL', unset: 'DATA_DIR/files', about: 'Bucket for files: s3://bucket/prefix?endpoint=…&region=…' },
    { name: 'AWS_ACCESS_KEY_ID', unset: '', about: 'Access to that bucket' },
    { name: 'AWS_SECRET_ACCESS_KEY', unset: '', about: 'Secret of that access', isSecret: true },
    { name: 'AWS_SESSION_TOKEN', unset: '', about: 'Token of a session there, if any', isSecret: true },
    { name: 'AWS_REGION', unset: 'us-east-1', about: 'Region of that bucket, where STORAGE_URL names none' },
    { name: 'PAYMENT_EVENT_DAYS', unset: '400', about: 'Days that a payment event is kept; 0 for good' },
    { name: 'QUARANTINE_DAYS', unset: '90', about: 'Days that a quarantined message is remembered; 0 for good' },
  ],
  Mail: [
    { name: 'SMTP_URL', unset: '', about: 'Mail server: smtp://user:password@smtp.example.com:587', isSecret: true },
    { name: 'MAIL_FROM', unset: '', about: 'Sender of companies without a mailbox: Callout <office@example.com>' },
    { name: 'DKIM_SELECTOR', unset: '', about: 'Selectors that the mail server signs with, comma-separated' },
    { name: 'EMAIL_WEBHOOK_SECRET', unset: '', about: 'Secret of incoming mail: whsec_…', isSecret: true },
  ],
  'Text messages': [
    { name: 'SMS_ACCOUNT_SID', unset: '', about: 'Account with the provider' },
    { name: 'SMS_AUTH_TOKEN', unset: '', about: 'Token of that account', isSecret: true },
    { name: 'SMS_FROM', unset: '', about: 'Number in E.164 of companies without one of their own' },
    {
      name: 'SMS_WEBHOOK_SECRET',
      unset: '',
      about: "Secret of incoming texts: the account's auth token",
      isSecret: true,
    },
    { name: 'SMS_API_URL', unset: 'https://api.twilio.com', about: "Origin of the provider's API" },
  ],
  Payments: [
    { name: 'PAYMENTS_SECRET_KEY', unset: '', about: 'Key of the provider: sk_test_… or sk_live_…', isSecret: true },
    {
      name: 'PAYMENTS_WEBHOOK_SECRET',
      unset: '',
      about: 'Secret of connected accounts in either mode',
      isSecret: true,
    },
    ...(['TEST', 'LIVE'] as const).flatMap((mode): Setting[] => [
      { name: `PAYMENTS_WEBHOOK_SECRET_${mode}`, unset: '', about: 'The same for this mode', isSecret: true },
      {
        name: `PAYMENTS_WEBHOOK_SECRET_CONNECT_${mode}`,
        unset: '',
        about: 'Secret of connected accounts',
        isSecret: true,
      },
      {
        name: `PAYMENTS_WEBHOOK_SECRET_PLATFORM_${mode}`,
        unset: '',
        about: 'Secret of your own account',
        isSecret: true,
      },
    ]),
    { name: 'PAYMENTS_API_URL', unset: 'https://api.stripe.com', about: "Origin of the provider's API" },
    { name: 'WEBHOOK_STRICT_SIGNATURES', unset: '0', about: "1: signatures in the providers' own forms alone" },
  ],
  'Sign-in': [
    { name: 'OIDC_ISSUER', unset: '', about: 'OpenID provider at which people sign in' },
    { name: 'OIDC_CLIENT_ID', unset: '', about: 'Our name there' },
    { name: 'OIDC_CLIENT_SECRET', unset: '', about: 'Our secret there; none for a public client', isSecret: true },
    { name: 'OIDC_NAME', unset: '', about: 'Text of the button' },
  ],
  'Metrics and traces': [
    { name: 'METRICS_PORT', unset: '', about: 'Port of /metrics, for Prometheus' },
    { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', unset: '', about: 'Collector of spans: http://127.0.0.1:4318' },
    { name: 'OTEL_EXPORTER_OTLP_HEADERS', unset: '', about: 'Sent with spans: name=value,name=value', isSecret: true },
    { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', unset: 'http/protobuf', about: 'Protocol of spans' },
    { name: 'OTEL_SERVICE_NAME', unset: 'callout', about: "Service's name in spans" },
  ],
}

/** Returns `.env.example`: every setting, commented out but those that the compose files ask for. */
export const exampleOf =
  (): string => `# Settings of Callout: copy this file to .env (or to /etc/callout.env) and set what you need.
# docs/operating/settings.md says more about each.

# compose.yaml asks for these three.
POSTGRES_PASSWORD=
BASE_URL=http://localhost:3000
DATA_KEY=
${Object.entries(SETTINGS)
  .map(
    ([heading, settings]) =>
      `\n# ${heading}\n${settings
        .filter(({ name }) => name !== 'BASE_URL' && name !== 'DATA_KEY')
        .map(({ name, unset, about }) => `\n# ${about}${unset === '' ? '' : ` (default: ${unset})`}\n# ${name}=\n`)
        .join('')}`,
  )
  .join('')}`
