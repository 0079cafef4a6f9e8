// @ts-check
// Stores what a phone must not lose in the browser's database: days, events, photos, and the last person. If the
// browser can't store data, memory holds it until the page closes, and `store.isKept` is false.

/** @typedef {'days' | 'acts' | 'photos' | 'people'} Name */

const NAME = 'callout-field'

/** Key field of each store. @type {Readonly<Record<Name, string>>} */
const KEYS = { days: 'owner', acts: 'seq', photos: 'id', people: 'company' }

/** Last serial of an event recorded here, in microseconds. It is higher than any that the database has assigned. */
let serial = 0

/** @type {Readonly<Record<Name, Map<unknown, any>>>} */
const memory = { days: new Map(), acts: new Map(), photos: new Map(), people: new Map() }

export const store = { isPersistent: true }

/** @type {Promise<IDBDatabase> | null} */
let opening = null

/** @returns {Promise<IDBDatabase>} */
const database = () =>
  (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.addEventListener('upgradeneeded', () => {
      for (const [name, keyPath] of Object.entries(KEYS))
        request.result.createObjectStore(name, { keyPath, autoIncrement: name === 'acts' })
    })
    request.addEventListener('blocked', () => reject(new Error('Another page holds an older store')))
    request.addEventListener('error', () => reject(request.error))
    request.addEventListener('success', () => {
      const opened = request.result
      const forget = () => (opening = null)
      opened.addEventListener('close', forget)
      opened.addEventListener('versionchange', () => {
        opened.close()
        forget()
      })
      resolve(opened)
    })
  }).catch((error) => {
    opening = null
    throw error
  }))

/**
 * Returns what a request answers, once it is as safe as the browser makes it.
 * @param {Name} name
 * @param {IDBTransactionMode} mode
 * @param {(kept: IDBObjectStore) => IDBRequest} query
 * @returns {Promise<any>}
 */
async function run(name, mode, query) {
  const opened = await database()
  return new Promise((resolve, reject) => {
    const transaction = opened.transaction(name, mode, { durability: 'strict' })
    const request = query(transaction.objectStore(name))
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? request.error))
  })
}

/**
 * Stores a value, in memory if the browser can't. Gives an event without a serial the next one. Returns its key.
 * @param {Name} name
 * @param {any} value
 */
export async function put(name, value) {
  // Behind one that memory alone holds, the database would give a number that comes before it.
  const key = value[KEYS[name]] ?? (memory[name].size > 0 ? nextSerial() : undefined)
  const keyed = key === undefined ? value : { ...value, [KEYS[name]]: key }
  try {
    const storedKey = await run(name, 'readwrite', (objectStore) => objectStore.put(keyed))
    memory[name].delete(storedKey)
    store.isPersistent = Object.values(memory).every(({ size }) => size === 0)
    return storedKey
  } catch {
    store.isPersistent = false
    const storedKey = key ?? nextSerial()
    memory[name].set(storedKey, { ...value, [KEYS[name]]: storedKey })
    return storedKey
  }
}

const nextSerial = () => (serial = Math.max(serial + 1, Date.now() * 1_000))

/** Stores what is only in memory, once the browser has room again. */
export async function flushMemory() {
  for (const name of /** @type {Name[]} */ (Object.keys(memory)))
    for (const key of memory[name].keys()) if (memory[name].has(key)) await put(name, memory[name].get(key))
}

/**
 * @param {Name} name
 * @param {any} key
 */
export async function get(name, key) {
  return memory[name].get(key) ?? (await run(name, 'readonly', (objectStore) => objectStore.get(key)).catch(noop))
}

/**
 * @param {Name} name
 * @param {any} key
 */
export async function remove(name, key) {
  memory[name].delete(key)
  await run(name, 'readwrite', (objectStore) => objectStore.delete(key)).catch(noop)
}

/**
 * Returns all of a kind by their keys, those in memory last.
 * @param {Name} name
 * @returns {Promise<any[]>}
 */
export async function all(name) {
  const stored = /** @type {any[]} */ (
    (await run(name, 'readonly', (objectStore) => objectStore.getAll()).catch(noop)) ?? []
  )
  const inMemory = memory[name]
  return [...stored.filter((value) => !inMemory.has(value[KEYS[name]])), ...inMemory.values()]
}

/** Checks whether the browser can store data, and asks it to keep that permanently. */
export async function openStore() {
  try {
    await database()
    void navigator.storage?.persist?.().catch(noop)
  } catch {
    store.isPersistent = false
  }
}

const noop = () => undefined
