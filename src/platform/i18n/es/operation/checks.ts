import type { Texts } from '../../texts.ts'

export const checks: Texts = {
  'Check BACKUP_TO and its free space, then run: callout backup':
    'Revise BACKUP_TO y su espacio libre, y luego ejecute: callout backup',
  'none configured': 'aquí no se hace ninguna',
  'Set BACKUP_TO, or back up the database yourself.':
    'Configure BACKUP_TO, o haga usted mismo la copia de la base de datos.',
  'no backup has succeeded: {0}': 'no se hizo ninguna: {0}',
  'no backup yet; the service makes the first one soon after it starts':
    'todavía ninguna: el servicio hace la primera poco después de arrancar',
  '{0}: {1}, {2} MiB in {3} s': '{0}: {1}, {2} MiB en {3} s',
  'the last backup was {0} ago': 'la última se hizo hace {0}',
  'the last drill was {0} ago': 'el último se hizo hace {0}',
  'changes were last archived {0} ago': 'los últimos se archivaron hace {0}',
  '{0}; the last attempt failed: {1}': '{0}; el último intento falló: {1}',
  'Run: callout backup --verify. If it fails, make a new backup.':
    'Ejecute: callout backup --verify, y haga una copia nueva si falla.',
  'the last backup could not be restored: {0}': 'la última copia no se pudo restaurar: {0}',
  'no drill has succeeded': 'no se completó ninguno',
  'up to date': 'al día',
  'the last attempt failed: {0}': 'el último intento falló: {0}',
  'Check BACKUP_TO and its free space; until fixed, a lost disk loses changes since the last backup.':
    'Revise BACKUP_TO y su espacio libre; mientras tanto, si se pierde el disco se pierde todo desde la última copia.',
  '{0} hour': '{0} hora',
  '{0} hours': '{0} horas',
  '{0} can only be reached from this machine': 'a {0} solo se llega desde este equipo',
  'Set BASE_URL to the address that people and clients use.':
    'Ponga en BASE_URL la dirección que usan las personas y los programas.',
  '{0} is not encrypted, so passwords and keys can be intercepted':
    '{0} no está cifrada, así que las contraseñas y las claves se pueden interceptar',
  'Put an HTTPS proxy in front and set BASE_URL to its https address.':
    'Ponga delante un proxy con https y su dirección https en BASE_URL.',
  'BASE_URL is {0}, but the service listens on port {1}': 'BASE_URL es {0}, pero el servicio escucha en el puerto {1}',
  'Set PORT and BASE_URL to the same port.': 'Ponga el mismo puerto en PORT y BASE_URL.',
  '{0}/health/live returned {1}, so it is not this service': '{0}/health/live responde {1}, y eso no es este servicio',
  'Check what is listening there and where the proxy forwards requests, or correct PORT and BASE_URL.':
    'Revise qué escucha ahí y adónde envía el proxy las solicitudes, o corrija PORT y BASE_URL.',
  '{0} responds': '{0} responde',
  '{0} responds; its certificate expires in {1}': '{0} responde; su certificado vence en {1}',
  'Renew it, and find out why it was not renewed automatically.': 'Renuévelo y averigüe por qué no se renovó solo.',
  'the certificate of {0}': 'el certificado de {0}',
  '{0} expired on {1}': '{0} venció el {1}',
  'Renew it, then reload the proxy.': 'Renuévelo y luego recargue el proxy.',
  '{0} is not valid until {1}': '{0} es válido a partir del {1}',
  "Fix this machine's clock, or get a new certificate.": 'Ajuste el reloj de este equipo, o consiga otro certificado.',
  '{0} is for {1}, not for {2}': '{0} es para {1}, no para {2}',
  'Get a certificate for {0}, or set BASE_URL to a name it covers.':
    'Consiga un certificado para {0}, o ponga en BASE_URL un nombre para el que sirva.',
  '{0} is not trusted ({1})': '{0} no es de confianza ({1})',
  'Install the full certificate chain. For your own certificate authority, set NODE_EXTRA_CA_CERTS.':
    'Instale la cadena completa del certificado; para una autoridad propia, configure NODE_EXTRA_CA_CERTS.',
  "DNS can't resolve {0} ({1})": 'el DNS no resuelve {0} ({1})',
  'Add a DNS record for it that points to this machine or its proxy, or correct BASE_URL.':
    'Agregue un registro DNS que apunte a este equipo o a su proxy, o corrija BASE_URL.',
  '{0} (the service is not running)': '{0} (el servicio no está en marcha)',
  '{0} does not respond ({1}), but the service responds here at {2}':
    '{0} no responde ({1}), pero el servicio sí responde aquí en {2}',
  '{0} does not respond ({1})': '{0} no responde ({1})',
  'Check the proxy, the firewall and BASE_URL.': 'Revise el proxy, el cortafuegos y BASE_URL.',
  'Start the service. If it runs on another machine, check the proxy, the firewall and BASE_URL.':
    'Inicie el servicio. Si está en otro equipo, revise el proxy, el cortafuegos y BASE_URL.',
  'PostgreSQL {0} restarted {1} min ago while the service was running':
    'PostgreSQL {0} se reinició hace {1} min con el servicio en marcha',
  'Look for the cause in postgres.log: out of memory, a full disk, or a manual restart.':
    'Busque la causa en postgres.log: falta de memoria, un disco lleno o un reinicio manual.',
  "{0} of the server's {1} connections are in use": 'Se usan {0} de las {1} conexiones del servidor',
  "Lower DATABASE_CONNECTIONS or PROCESSES, or raise PostgreSQL's max_connections.":
    'Baje DATABASE_CONNECTIONS o PROCESSES, o suba max_connections de PostgreSQL.',
  'PostgreSQL {0}': 'PostgreSQL {0}',
  'not responding ({0})': 'no responde ({0})',
  'Start the server, or check its log, disk and locks. The service recovers once it responds.':
    'Inicie el servidor, o revise su registro, su disco y sus bloqueos. El servicio sigue en cuanto responda.',
  'the schema is up to date': 'el esquema es el actual',
  'missing migration {0}': 'falta la migración {0}',
  'Run: callout migrate': 'Ejecute: callout migrate',
  'the database has the schema of a later release, {0}; this process runs {1}':
    'la base de datos tiene el esquema de una versión posterior, {0}; este proceso usa {1}',
  'Update this process too, and restart it.': 'Actualice también este proceso y reinícielo.',
  'Run that release here, or restore the backup from before its upgrade.':
    'Inicie aquí esa versión, o restaure la copia que se hizo antes de actualizar.',
  '{0} is writable': 'se puede escribir en {0}',
  "Make {0} writable by the service's user, or set DATA_DIR to a folder that is.":
    'Permita que el usuario del servicio escriba en {0}, o ponga en DATA_DIR una carpeta donde pueda.',
  'Free up space, or move DATA_DIR to a larger disk.': 'Libere espacio ahí, o ponga DATA_DIR en un disco más grande.',
  'Free up space, or set TMPDIR to a folder on a larger disk.':
    'Libere espacio ahí, o ponga en TMPDIR una carpeta de un disco más grande.',
  '{0} has {1} of {2} GiB free': '{0} tiene {1} de {2} GiB libres',
  'not configured (SMTP_URL); mail stays in the outbox':
    'sin configurar (SMTP_URL); los correos quedan en la bandeja de salida y no se envían',
  'connected to {0}': '{0} nos deja entrar',
  'Check the host, port, user and password in SMTP_URL, and that this machine can reach the port.':
    'Revise servidor, puerto, usuario y contraseña de SMTP_URL, y si este equipo llega al puerto.',
  'Companies see the reason for each in their outbox.': 'Cada empresa ve el motivo en su bandeja de salida.',
  'Check the mail server, then run: callout mail list':
    'Revise el servidor de correo y luego ejecute: callout mail list',
  '{0} waiting ({1} for over an hour)': '{0} en espera ({1} desde hace más de una hora)',
  '{0} failed in the last {1} days': '{0} fallidos en los últimos {1} días',
  '{0} uncertain': '{0} dudosos',
  '{0} kept and not sent': '{0} guardados sin enviar',
  'nothing waiting, nothing failed': 'nada en espera, nada falló',
  '{0}, {1}': '{0}, {1}',
  empty: 'vacía',
  'none waiting': 'ninguno en espera',
  '{0} a decision, {1} waiting to be recorded': '{0} una decisión, {1} por registrar',
  'Companies and operators (callout operator add) resolve them under Quarantine.':
    'Las empresas y los operadores (callout operator add) los resuelven en Cuarentena.',
  '{0} message needs a decision': '{0} mensaje espera una decisión',
  '{0} messages need a decision': '{0} mensajes esperan una decisión',
  '{0} needs': '{0} espera',
  '{0} need': '{0} esperan',
  'not configured (PAYMENTS_SECRET_KEY); links show other ways to pay':
    'sin configurar (PAYMENTS_SECRET_KEY); los enlaces indican otras formas de pago',
  'accepted by the provider, for live payments': 'el proveedor la acepta, para pagos reales',
  'accepted by the provider, for test payments': 'el proveedor la acepta, para pagos de prueba',
  'the provider did not respond': 'el proveedor no respondió',
  'Check PAYMENTS_SECRET_KEY, and that this machine can reach PAYMENTS_API_URL.':
    'Revise PAYMENTS_SECRET_KEY, y si este equipo llega a PAYMENTS_API_URL.',
  '{0}, {1} expected': '{0}, se esperaban {1}',
  'Look in the log for a process that exited; the service starts a replacement.':
    'Busque en el registro un proceso que terminó; el servicio inicia otro en su lugar.',
  '{0}, on releases {1} and {2}': '{0}, de las versiones {1} y {2}',
  'Restart the processes still on the earlier release.': 'Reinicie los procesos que aún usan la versión anterior.',
  '{0}, {1} for a database connection': '{0}, y {1} una conexión a la base de datos',
  'If this continues, raise DATABASE_CONNECTIONS, or look for slow queries in PostgreSQL.':
    'Si continúa, suba DATABASE_CONNECTIONS, o busque consultas lentas en PostgreSQL.',
  '{0} {1}': '{0} {1}',
  'none in the last 15 minutes': 'ninguno en los últimos 15 minutos',
  'server errors in the last 15 minutes: {0}': 'errores del servidor en los últimos 15 minutos: {0}',
  "Look for 'webhook fault' in the log. Providers retry for a few hours, so fix it soon.":
    'Busque «webhook fault» en el registro. Los proveedores reintentan durante unas horas; corríjalo pronto.',
  'there are none, so nobody gets an email when something breaks':
    'no hay ninguno, así que nadie recibe un correo cuando algo falla',
  'Run: callout operator add <email>': 'Ejecute: callout operator add <correo>',
  '{0} process running': '{0} proceso en marcha',
  '{0} processes running': '{0} procesos en marcha',
  '{0} request waiting': '{0} solicitud espera',
  '{0} requests waiting': '{0} solicitudes esperan',
  '{0} person': '{0} persona',
  '{0} people': '{0} personas',
  'not configured (SMS_ACCOUNT_SID); texts stay in the outbox':
    'sin configurar (SMS_ACCOUNT_SID); los mensajes de texto quedan en la bandeja de salida y no se envían',
  "signed in as {0}; texts come from each company's own number":
    '{0} nos deja entrar; los mensajes salen del número de cada empresa',
  "signed in as {0}; texts come from {1} or a company's own number":
    '{0} nos deja entrar; los mensajes salen de {1} o del número de la empresa',
  'Check SMS_ACCOUNT_SID and SMS_AUTH_TOKEN, and that this machine can reach SMS_API_URL.':
    'Revise SMS_ACCOUNT_SID y SMS_AUTH_TOKEN, y si este equipo llega a SMS_API_URL.',
  'bucket {0} at {1}': 'bucket {0} en {1}',
  '{0} does not return the test file saved there': '{0} no devuelve el archivo de prueba que se guardó ahí',
  'Check STORAGE_URL and the service behind it.': 'Revise STORAGE_URL y el servicio que está detrás.',
  'Check STORAGE_URL, the AWS_ keys and the permissions on the bucket: put, get and delete objects.':
    'Revise STORAGE_URL, las claves AWS_ y los permisos del bucket: guardar, leer y borrar un objeto.',
  "Make the folder writable by the service's user, or set DATA_DIR or STORAGE_URL.":
    'Permita que el usuario del servicio escriba en la carpeta, o configure DATA_DIR o STORAGE_URL.',
  'late: {0}': 'con retraso: {0}',
  '{0} ({1})': '{0} ({1})',
  'failing: {0}': 'fallan: {0}',
  '{0} ({1} failures, reference {2})': '{0} ({1} fallos, referencia {2})',
  "Start the service, or look for 'task failed' and 'worker fault' in its log.":
    'Inicie el servicio, o busque «task failed» y «worker fault» en su registro.',
  '{0}; {1}': '{0}; {1}',
  "Search the service's log for the reference.": 'Busque la referencia en el registro del servicio.',
  'on time': 'a tiempo',
  '{0} and {1} more': '{0} y {1} más',
  '{0} minute': '{0} minuto',
  '{0} minutes': '{0} minutos',
  'not configured ({0})': 'sin configurar ({0})',
  '{0} connected, but PAYMENTS_SECRET_KEY is missing: no payments are recorded':
    '{0}, pero falta PAYMENTS_SECRET_KEY: no se registra ningún pago',
  'Set PAYMENTS_SECRET_KEY and its webhook secrets.': 'Configure PAYMENTS_SECRET_KEY y los secretos de sus webhooks.',
  "Set the secret that the provider shows for this webhook's address.":
    'Configure el secreto que el proveedor muestra para la dirección de este webhook.',
  '{0}: the webhook returns 500 and no payment is recorded':
    '{0}: el webhook responde 500 y no se registra ningún pago',
  'secrets are set for connect and platform': 'los secretos de connect y platform están configurados',
  'set for connect; {0} is missing, so events from your own account are not accepted':
    'configurado para connect; falta {0}, así que no se aceptan eventos de su propia cuenta',
  'the secret is set': 'el secreto está configurado',
  "{0}: the webhook returns 500, and replies, opt-outs and statuses don't arrive":
    '{0}: el webhook responde 500, y no llegan respuestas, bajas ni estados',
  'Set it to the auth token of your SMS account.': 'Ponga el token de la cuenta del proveedor de mensajes de texto.',
  "{0}: the webhook returns 500, and mail to {1} doesn't arrive":
    '{0}: el webhook responde 500, y no llega el correo a {1}',
  'Set it to the secret that the email provider shows, whsec_….':
    'Ponga el secreto que muestra el proveedor de correo, whsec_….',
  '{0} is missing': 'falta {0}',
  '{0} is shorter than {1} bytes': '{0} tiene menos de {1} bytes',
  '{0} account is': '{0} cuenta conectada',
  '{0} accounts are': '{0} cuentas conectadas',
  '{0} mailbox': '{0} buzón',
  '{0} mailboxes': '{0} buzones',
}
