/** The campaign that pages and reference show as their example, as a request has it. */
export const exampleRequest = {
  emails_sent: 5000,
  reply_rate: 5,
  positive_reply_rate: 30,
  meeting_booking_rate: 20,
  close_rate: 25,
  average_deal_value: 2500,
  campaign_cost: 600
}
