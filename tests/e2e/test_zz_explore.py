import json, os, sys
from pathlib import Path
import pytest
from tests.e2e.enriching import *
SAMPLE = Path("/work/main/src/sightline/sample/archive")
DOMAINS = os.environ.get("DOMS","northquay-robotics.example").split(",")
async def test_explore(enricher):
    for d in DOMAINS:
        done = await enricher.run(SAMPLE, **({"domain": d} if "." in d else {"company_name": d}), **({"at": os.environ["AT"]} if "AT" in os.environ else {}))
        print("=====", d, done["status"], done.get("error"), done["cost"])
        for s in done["steps"]:
            print("  ", s["name"], s["source"], s["status"], s["found"], s["error"], s["notes"])
        if done["status"] in ("succeeded","partial") :
            c=(await enricher.client.get(f"{V1}/companies/{done['company_id']}?provenance=true")).json()
            prov=c.pop("provenance")
            if os.environ.get("FULL"):
                for k,v in c.items():
                    if v not in (None,[],{}): print("     ",k,"=",json.dumps(v,ensure_ascii=False)[:300], "<-", json.dumps(prov.get(k,{}) if not isinstance(prov.get(k),list) else "list", ensure_ascii=False)[:160])
            async with enricher.database.connection() as con:
                for r in await con.fetch("select url,kind,title,language,published_at,length(body_text) n,source,(select count(*) from passages p where p.document_id=d.document_id) ps from documents d join company_documents c using(document_id,source,kind) where company_id=$1 order by 1", __import__('uuid').UUID(done["company_id"])):
                    print("       doc", r["url"], r["kind"], r["source"], r["language"], r["published_at"] and r["published_at"].date(), r["n"], r["ps"])
                for r in await con.fetch("select board,title,seniority,closed_at,posted_at,salary,locations,length(description) n from jobs where company_id=$1 order by 1,2", __import__('uuid').UUID(done["company_id"])):
                    print("       job", dict(r))
