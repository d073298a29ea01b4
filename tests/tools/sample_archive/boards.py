"""Job boards of the sample archive, as two systems answer; only a replayed web asks for them."""

import json
from typing import Any

FIRST, SECOND = "2026-09-01T06:00:00Z", "2026-10-15T06:00:00Z"

_NORTHQUAY = {
    4100101: ("Perception Engineer", "Engineering", "Boston, Massachusetts", "2026-07-02",
              "You teach robots to see through frost. C++ and Python, ROS 2, PyTorch. "
              "Salary range $148,000 - $186,000 a year."),
    4100102: ("Senior Backend Engineer, Tideplan", "Engineering", "Boston, Massachusetts or Remote, US",
              "2026-08-04", "It plans two million moves a day. Go, PostgreSQL, Kubernetes, Kafka, AWS."),
    4100103: ("Enterprise Account Executive, Food Retail", "Sales", "Remote, United States", "2026-08-11",
              "You open grocery chains. We use Salesforce and Gong. On-target earnings of $240,000."),
    4100104: ("Field Service Technician", "Service", "Rotterdam, Netherlands", "2026-08-20",
              "You keep forty robots driving in the largest freezers of the port."),
    4100105: ("Assembly Team Lead, Second Shift", "Manufacturing", "Dayton, Ohio", "2026-08-25",
              "You lead eighteen people who build the Q4. Experience with SAP and kanban."),
    4100110: ("Director of Revenue Operations", "Sales", "Boston, Massachusetts", "2026-10-02",
              "You build the team behind our forecasts: Salesforce, Clari, Snowflake."),
    4100111: ("Camera Firmware Engineer (Frostline)", "Engineering", "Québec, Canada", "2026-10-06",
              "You write firmware in C and Rust for cameras that see through condensation."),
}  # fmt: skip
_ON = {FIRST: (4100101, 4100102, 4100103, 4100104, 4100105),
       SECOND: (4100102, 4100103, 4100105, 4100110, 4100111)}  # fmt: skip
_MARISOL = {
    5200201: ("Clinical Trial Manager", "Clinical", "San Diego, California", "2026-08-18",
              "You run the extension study of MSG-204 in six countries. Veeva Vault, Medidata Rave."),
    5200202: ("Principal Scientist, Protein Engineering", "Research", "Leiden, Netherlands", "2026-08-22",
              "You make peptides cross the blood-brain barrier."),
}  # fmt: skip


def greenhouse(token: str, name: str, at: str) -> dict[str, Any]:
    """The answer about a board's jobs as of one of the two days."""
    jobs = _MARISOL if token == "marisolgenomics" else {n: _NORTHQUAY[n] for n in _ON[at]}
    rows = []
    for number, (title, department, place, posted, text) in jobs.items():
        rows.append(
            {
                "id": number,
                "internal_job_id": number + 9_000_000,
                "title": title,
                "company_name": name,
                "absolute_url": f"https://job-boards.greenhouse.io/{token}/jobs/{number}",
                "location": {"name": place},
                "first_published": f"{posted}T09:00:00-04:00",
                "updated_at": f"{posted}T09:00:00-04:00",
                "requisition_id": f"REQ-{number % 1000}",
                "departments": [{"id": len(department), "name": department}],
                "content": f"&lt;p&gt;{text}&lt;/p&gt;&lt;p&gt;{name} hires fairly.&lt;/p&gt;",
            }
        )
    return {"jobs": rows, "meta": {"total": len(rows)}}


def ashby() -> dict[str, Any]:
    """Kestrelbyte's board."""
    jobs = [
        ("a1f0c0de-0000-4000-8000-000000000001", "Staff Engineer, Detection", "Engineering", "Bristol, UK",
         False, "Rust, Go and a lot of regular expressions. You own how we tell a live key from a dead one."),
        ("a1f0c0de-0000-4000-8000-000000000002", "Solutions Engineer, DACH", "Sales", "Berlin, Germany", True,
         "You show banks what is in their repositories. Fluent German and English."),
        ("a1f0c0de-0000-4000-8000-000000000003", "Site Reliability Engineer", "Engineering",
         "Kraków, Poland", False, "Kubernetes on three clouds, Terraform, Prometheus, Grafana."),
    ]  # fmt: skip
    rows = [
        {
            "id": key,
            "title": title,
            "department": department,
            "team": department,
            "employmentType": "FullTime",
            "location": place,
            "isRemote": remote,
            "isListed": True,
            "publishedAt": "2026-08-14T10:00:00.000+00:00",
            "jobUrl": f"https://jobs.ashbyhq.com/kestrelbyte/{key}",
            "applyUrl": f"https://jobs.ashbyhq.com/kestrelbyte/{key}/application",
            "descriptionHtml": f"<p>{text}</p>",
            "descriptionPlain": text,
        }
        for key, title, department, place, remote, text in jobs
    ]
    return {"jobs": rows, "apiVersion": "1"}


def answers() -> list[tuple[str, str, str]]:
    """Address, body and day of every answer of a board."""
    found = []
    api = "https://boards-api.greenhouse.io/v1/boards"
    for token, name in (
        ("northquayrobotics", "Northquay Robotics"),
        ("marisolgenomics", "Marisol Genomics"),
    ):
        found.append((f"{api}/{token}", json.dumps({"name": name, "content": ""}), FIRST))
        for at in (FIRST, SECOND) if token == "northquayrobotics" else (FIRST,):
            text = json.dumps(greenhouse(token, name, at), ensure_ascii=False)
            found.append((f"{api}/{token}/jobs?content=true", text, at))
    # A namesake's board: its postings are those of another Quillmark.
    other = {"jobs": [], "meta": {"total": 0}}
    other["jobs"] = [
        {
            "id": 77, "title": "Bookbinder", "location": {"name": "Ghent, Belgium"},
            "absolute_url": "https://www.quillmark-paper.example/jobs/77", "content": "Paper.",
            "updated_at": "2026-08-01T00:00:00Z",
        }
    ]  # fmt: skip
    found.append((f"{api}/quillmark/jobs?content=true", json.dumps(other), FIRST))
    address = "https://api.ashbyhq.com/posting-api/job-board/kestrelbyte?includeCompensation=true"
    found.append((address, json.dumps(ashby(), ensure_ascii=False), FIRST))
    return found
