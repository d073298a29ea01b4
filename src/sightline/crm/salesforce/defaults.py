"""Salesforce's standard fields and their default mapping."""

from typing import Final

from sightline.crm.fields import Mapped

# `AnnualRevenue` is left out: it is in the organization's currency, ours is in US dollars.
MAPPING: Final = (
    Mapped("accounts", "Name", "company_name"),
    Mapped("accounts", "Website", "website"),
    Mapped("accounts", "BillingCountry", "country"),
    Mapped("accounts", "BillingState", "hq_state"),
    Mapped("accounts", "BillingCity", "hq_city"),
    Mapped("accounts", "BillingStreet", "hq_address"),
    Mapped("accounts", "BillingPostalCode", "hq_postcode"),
    Mapped("accounts", "Industry", "industry"),
    Mapped("accounts", "NumberOfEmployees", "full_time_employees"),
    Mapped("accounts", "Description", "description"),
    Mapped("accounts", "TickerSymbol", "stock_ticker"),
    Mapped("contacts", "FirstName", "first_name"),
    Mapped("contacts", "LastName", "last_name"),
    Mapped("contacts", "Email", "emails"),
    Mapped("contacts", "Phone", "phones"),
    Mapped("contacts", "Title", "current_job_title"),
    Mapped("contacts", "MailingCountry", "country"),
    Mapped("contacts", "Account.Name", "company_name", "in"),
)
