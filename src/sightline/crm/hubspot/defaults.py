"""HubSpot's standard properties and their default mapping."""

from typing import Final

from sightline.crm.fields import Mapped

# `annualrevenue` is left out: it is in the portal's currency, ours is in US dollars.
MAPPING: Final = (
    Mapped("accounts", "name", "company_name"),
    Mapped("accounts", "domain", "website"),
    Mapped("accounts", "country", "country"),
    Mapped("accounts", "state", "hq_state"),
    Mapped("accounts", "city", "hq_city"),
    Mapped("accounts", "address", "hq_address"),
    Mapped("accounts", "zip", "hq_postcode"),
    Mapped("accounts", "industry", "industry"),
    Mapped("accounts", "numberofemployees", "full_time_employees"),
    Mapped("accounts", "description", "description"),
    Mapped("accounts", "linkedin_company_page", "profile_network_url"),
    Mapped("contacts", "firstname", "first_name"),
    Mapped("contacts", "lastname", "last_name"),
    Mapped("contacts", "email", "emails"),
    Mapped("contacts", "phone", "phones"),
    Mapped("contacts", "jobtitle", "current_job_title"),
    Mapped("contacts", "country", "country"),
    Mapped("contacts", "company", "company_name", "in"),
    Mapped("contacts", "hs_linkedin_url", "profile_network_url"),
)
