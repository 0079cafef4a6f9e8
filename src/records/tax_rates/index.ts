export { defaultRate, liveRates, NOT_A_RATE, rateOfLocation, ratesById, requireLiveRate } from './tax_rate.ts'
