import type { Texts } from '../../texts.ts'

export const checks: Texts = {
  'Check BACKUP_TO and its room, then run: callout backup':
    'Revise BACKUP_TO y su espacio libre, y luego ejecute: callout backup',
  'none is made here': 'aquí no se hace ninguna',
  'Set BACKUP_TO, or back up the database yourself.':
    'Configure BACKUP_TO, o haga usted mismo la copia de la base de datos.',
  'none was made: {0}': 'no se hizo ninguna: {0}',
  'none yet: the service makes the first soon after its start':
    'todavía ninguna: el servicio hace la primera poco después de arrancar',
  '{0}: {1}, {2} MiB in {3} s': '{0}: {1}, {2} MiB en {3} s',
  'the last one is {0} old': 'la última se hizo hace {0}',
  '{0}; the last attempt failed: {1}': '{0}; el último intento falló: {1}',
  'Run: callout backup --verify, and make a new backup where it fails.':
    'Ejecute: callout backup --verify, y haga una copia nueva si falla.',
  'the last backup could not be restored: {0}': 'la última copia no se pudo restaurar: {0}',
  'none was made': 'no se hizo ninguna',
  'the last one was kept': 'el último se guardó',
  'the last one was not kept: {0}': 'el último no se guardó: {0}',
  'Check BACKUP_TO and its room; until then a lost disk loses what came since the last backup.':
    'Revise BACKUP_TO y su espacio libre; mientras tanto, si se pierde el disco se pierde todo desde la última copia.',
  '{0} hour': '{0} hora',
  '{0} hours': '{0} horas',
  '{0} is this machine only': '{0} es solo este equipo',
  'Set BASE_URL to the address that people and programs use.':
    'Ponga en BASE_URL la dirección que usan las personas y los programas.',
  '{0} is not encrypted, so sign-ins and keys can be read on the way':
    '{0} no está cifrada, así que los accesos y las claves se pueden leer en el camino',
  'Put a proxy with https in front and set BASE_URL to its https address.':
    'Ponga delante un proxy con https y su dirección https en BASE_URL.',
  '{0} names another port than the {1} the service listens on':
    '{0} indica otro puerto que el {1}, donde escucha el servicio',
  'Set PORT and BASE_URL to the same port.': 'Ponga el mismo puerto en PORT y BASE_URL.',
  '{0}/health/live answers {1}, which is not this service': '{0}/health/live responde {1}, y eso no es este servicio',
  'Check what listens there and where the proxy sends requests, or correct PORT and BASE_URL.':
    'Revise qué escucha ahí y adónde envía el proxy las solicitudes, o corrija PORT y BASE_URL.',
  '{0} answers': '{0} responde',
  '{0} answers; its certificate ends in {1}': '{0} responde; su certificado vence en {1}',
  'Renew it, and check why it was not renewed by itself.': 'Renuévelo y averigüe por qué no se renovó solo.',
  'the certificate of {0}': 'el certificado de {0}',
  '{0} expired on {1}': '{0} venció el {1}',
  'Renew it, then reload the proxy.': 'Renuévelo y luego recargue el proxy.',
  '{0} is valid from {1} on': '{0} es válido a partir del {1}',
  'Set the clock of this machine, or get another one.': 'Ajuste el reloj de este equipo, o consiga otro certificado.',
  '{0} is for {1}, not for {2}': '{0} es para {1}, no para {2}',
  'Get a certificate for {0}, or set BASE_URL to a name it is for.':
    'Consiga un certificado para {0}, o ponga en BASE_URL un nombre para el que sirva.',
  '{0} is not trusted ({1})': '{0} no es de confianza ({1})',
  'Install the full chain of the certificate; for an authority of your own set NODE_EXTRA_CA_CERTS.':
    'Instale la cadena completa del certificado; para una autoridad propia, configure NODE_EXTRA_CA_CERTS.',
  '{0} is unknown to DNS ({1})': '{0} no existe en el DNS ({1})',
  'Add a DNS record for it that leads to this machine or its proxy, or correct BASE_URL.':
    'Agregue un registro DNS que apunte a este equipo o a su proxy, o corrija BASE_URL.',
  '{0} (the service is not running now)': '{0} (el servicio no está en marcha)',
  '{0} does not answer ({1}), but the service answers here at {2}':
    '{0} no responde ({1}), pero el servicio sí responde aquí en {2}',
  '{0} does not answer ({1})': '{0} no responde ({1})',
  'Check the proxy, the firewall and BASE_URL.': 'Revise el proxy, el cortafuegos y BASE_URL.',
  'Start the service. If it runs on another machine, check the proxy, the firewall and BASE_URL.':
    'Inicie el servicio. Si está en otro equipo, revise el proxy, el cortafuegos y BASE_URL.',
  'PostgreSQL {0} restarted {1} min ago while the service ran':
    'PostgreSQL {0} se reinició hace {1} min con el servicio en marcha',
  'Look for the reason in postgres.log: memory, disk, or somebody who restarted it.':
    'Busque la causa en postgres.log: memoria, disco, o alguien que lo reinició.',
  "{0} of the server's {1} connections are in use": 'Se usan {0} de las {1} conexiones del servidor',
  'Lower DATABASE_CONNECTIONS or PROCESSES, or raise max_connections of PostgreSQL.':
    'Baje DATABASE_CONNECTIONS o PROCESSES, o suba max_connections de PostgreSQL.',
  'PostgreSQL {0}': 'PostgreSQL {0}',
  'does not answer ({0})': 'no responde ({0})',
  'Start the server, or look at its log, its disk and its locks. The service goes on once it answers.':
    'Inicie el servidor, o revise su registro, su disco y sus bloqueos. El servicio sigue en cuanto responda.',
  'the schema is the present one': 'el esquema es el actual',
  'the schema lacks {0}': 'al esquema le falta {0}',
  'Run: callout migrate': 'Ejecute: callout migrate',
  'the database has the schema of a later release, {0}; this is {1}':
    'la base de datos tiene el esquema de una versión posterior, {0}; esta es {1}',
  'Update this process too, and restart it.': 'Actualice también este proceso y reinícielo.',
  'Start that release here, or restore the backup that was taken before its upgrade.':
    'Inicie aquí esa versión, o restaure la copia que se hizo antes de actualizar.',
  '{0} can be written': 'se puede escribir en {0}',
  "Let the service's user write in {0}, or set DATA_DIR to a folder where it may.":
    'Permita que el usuario del servicio escriba en {0}, o ponga en DATA_DIR una carpeta donde pueda.',
  'Make room there, or set DATA_DIR to a larger disk.': 'Libere espacio ahí, o ponga DATA_DIR en un disco más grande.',
  'Make room there, or set TMPDIR to a folder of a larger disk.':
    'Libere espacio ahí, o ponga en TMPDIR una carpeta de un disco más grande.',
  '{0} has {1} GiB left of {2}': 'a {0} le quedan {1} GiB de {2}',
  'not configured (SMTP_URL); mail is kept under Outbox and not sent':
    'sin configurar (SMTP_URL); los correos quedan en la bandeja de salida y no se envían',
  '{0} lets us in': '{0} nos deja entrar',
  'Check host, port, user and password of SMTP_URL, and whether this machine may reach the port.':
    'Revise servidor, puerto, usuario y contraseña de SMTP_URL, y si este equipo llega al puerto.',
  'Companies see the reason of each under Outbox.': 'Cada empresa ve el motivo en su bandeja de salida.',
  'Check the mail server, then run: callout mail list':
    'Revise el servidor de correo y luego ejecute: callout mail list',
  '{0} waiting ({1} for over an hour)': '{0} en espera ({1} desde hace más de una hora)',
  '{0} failed in {1} days': '{0} fallidos en {1} días',
  '{0} uncertain': '{0} dudosos',
  '{0} kept and not sent': '{0} guardados sin enviar',
  'nothing waits, nothing failed': 'nada en espera, nada falló',
  '{0}, {1}': '{0}, {1}',
  empty: 'vacía',
  'none waiting': 'ninguno en espera',
  '{0} for a decision, {1} to be booked': '{0} una decisión, {1} por registrar',
  'Companies and operators settle them under Quarantine (callout operator add).':
    'Las empresas y los operadores los resuelven en Cuarentena (callout operator add).',
  '{0} message waits for a decision': '{0} mensaje espera una decisión',
  '{0} messages wait for a decision': '{0} mensajes esperan una decisión',
  '{0} waits': '{0} espera',
  '{0} wait': '{0} esperan',
  'not configured (PAYMENTS_SECRET_KEY); links say how else to pay':
    'sin configurar (PAYMENTS_SECRET_KEY); los enlaces indican otras formas de pago',
  'the provider takes it, for live payments': 'el proveedor la acepta, para pagos reales',
  'the provider takes it, for test payments': 'el proveedor la acepta, para pagos de prueba',
  'the provider did not answer': 'el proveedor no respondió',
  'Check PAYMENTS_SECRET_KEY, and whether this machine reaches PAYMENTS_API_URL.':
    'Revise PAYMENTS_SECRET_KEY, y si este equipo llega a PAYMENTS_API_URL.',
  '{0} of {1}': '{0} de {1}',
  'Look in the log for a process that ended; the service starts another one in its place.':
    'Busque en el registro un proceso que terminó; el servicio inicia otro en su lugar.',
  '{0}, of releases {1} and {2}': '{0}, de las versiones {1} y {2}',
  'Restart what still runs the earlier release.': 'Reinicie lo que aún tiene la versión anterior.',
  '{0}, and {1} for a connection to the database': '{0}, y {1} una conexión a la base de datos',
  'Where it lasts, raise DATABASE_CONNECTIONS, or look for slow statements in PostgreSQL.':
    'Si continúa, suba DATABASE_CONNECTIONS, o busque consultas lentas en PostgreSQL.',
  '{0} {1}': '{0} {1}',
  'none in 15 minutes': 'ninguno en 15 minutos',
  'answered with an error in 15 minutes: {0}': 'respondidos con un error en 15 minutos: {0}',
  "Look for 'webhook fault' in the log. Providers deliver again for some hours, so fix it soon.":
    'Busque «webhook fault» en el registro. Los proveedores reintentan durante unas horas; corríjalo pronto.',
  'there is none, so nobody is mailed when something turns wrong':
    'no hay ninguno, así que nadie recibe un correo cuando algo falla',
  'Run: callout operator add <e-mail>': 'Ejecute: callout operator add <correo>',
  '{0} process runs': '{0} proceso en marcha',
  '{0} processes run': '{0} procesos en marcha',
  '{0} request waits': '{0} solicitud espera',
  '{0} requests wait': '{0} solicitudes esperan',
  '{0} person': '{0} persona',
  '{0} people': '{0} personas',
  'not configured (SMS_ACCOUNT_SID); texts are kept under Outbox and not sent':
    'sin configurar (SMS_ACCOUNT_SID); los mensajes de texto quedan en la bandeja de salida y no se envían',
  "{0} lets us in; texts come from each company's own number":
    '{0} nos deja entrar; los mensajes salen del número de cada empresa',
  "{0} lets us in; texts come from {1} or a company's own number":
    '{0} nos deja entrar; los mensajes salen de {1} o del número de la empresa',
  'Check SMS_ACCOUNT_SID and SMS_AUTH_TOKEN, and whether this machine reaches SMS_API_URL.':
    'Revise SMS_ACCOUNT_SID y SMS_AUTH_TOKEN, y si este equipo llega a SMS_API_URL.',
  'bucket {0} at {1}': 'bucket {0} en {1}',
  '{0} does not give back what was put there': '{0} no devuelve lo que se guardó ahí',
  'Look at STORAGE_URL and at the service behind it.': 'Revise STORAGE_URL y el servicio que está detrás.',
  'Check STORAGE_URL, the AWS_ keys and the rights on the bucket: put, get and delete an object.':
    'Revise STORAGE_URL, las claves AWS_ y los permisos del bucket: guardar, leer y borrar un objeto.',
  'Make the directory writable for the user that runs the service, or set DATA_DIR or STORAGE_URL.':
    'Permita que el usuario del servicio escriba en la carpeta, o configure DATA_DIR o STORAGE_URL.',
  'late: {0}': 'con retraso: {0}',
  '{0} ({1})': '{0} ({1})',
  'failing: {0}': 'fallan: {0}',
  '{0} ({1} times, {2})': '{0} ({1} veces, {2})',
  "Start the service, or look for 'task failed' and 'worker fault' in its log.":
    'Inicie el servicio, o busque «task failed» y «worker fault» en su registro.',
  '{0}; {1}': '{0}; {1}',
  "Look for the reference in the service's log.": 'Busque la referencia en el registro del servicio.',
  'on time': 'a tiempo',
  '{0} and {1} more': '{0} y {1} más',
  '{0} minute': '{0} minuto',
  '{0} minutes': '{0} minutos',
  'not configured ({0})': 'sin configurar ({0})',
  '{0} connected, and PAYMENTS_SECRET_KEY is missing: no payment is booked':
    '{0}, y falta PAYMENTS_SECRET_KEY: no se registra ningún pago',
  'Set PAYMENTS_SECRET_KEY and the secrets of its webhooks.':
    'Configure PAYMENTS_SECRET_KEY y los secretos de sus webhooks.',
  "Set the secret that the provider shows for this webhook's address.":
    'Configure el secreto que el proveedor muestra para la dirección de este webhook.',
  '{0}: the webhook answers 500 and no payment is booked': '{0}: el webhook responde 500 y no se registra ningún pago',
  'secrets are set for connect and platform': 'los secretos de connect y platform están configurados',
  'set for connect; {0} is missing, so events of your own account are not taken':
    'configurado para connect; falta {0}, así que no se aceptan eventos de su propia cuenta',
  'the secret is set': 'el secreto está configurado',
  "{0}: the webhook answers 500, and replies, opt-outs and statuses don't arrive":
    '{0}: el webhook responde 500, y no llegan respuestas, bajas ni estados',
  "Set it to the auth token of the SMS provider's account.":
    'Ponga el token de la cuenta del proveedor de mensajes de texto.',
  "{0}: the webhook answers 500, and mail to {1} doesn't arrive":
    '{0}: el webhook responde 500, y no llega el correo a {1}',
  'Set it to the secret that the e-mail provider shows, whsec_….':
    'Ponga el secreto que muestra el proveedor de correo, whsec_….',
  '{0} is missing': 'falta {0}',
  '{0} is shorter than {1} bytes': '{0} tiene menos de {1} bytes',
  '{0} account is': '{0} cuenta conectada',
  '{0} accounts are': '{0} cuentas conectadas',
  '{0} mailbox': '{0} buzón',
  '{0} mailboxes': '{0} buzones',
}
