"""What a job posting says: level, department, and the technologies and skills it names."""

from dataclasses import dataclass

from sightline.domain.job_text import SKILL_CATEGORIES, skills_in
from sightline.domain.titles import Department, Seniority, read_title
