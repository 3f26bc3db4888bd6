// GET /v1/usage: what happened on each day.
export interface UsageTotals {
  jobs: { operation: string; submitted: number; succeeded: number; failed: number; cancelled: number }[];
  processing_credits: number;
  uploads: number;
  uploaded_bytes: number;
  delivered_bytes: number;
}

export interface UsageDay extends UsageTotals {
  date: string;
}

export interface UsageDays {
  from: string;
  to: string;
  days: UsageDay[];
  totals: UsageTotals;
}
