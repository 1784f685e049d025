"""A report as JUnit XML, for CI systems. Stretch checks that fail count as skipped: they fail nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

TOLD = ("called", "expected", "actual", "why", "mistake", "stack")


def junit(report: Mapping[str, Any]) -> bytes:
    """The public form of a report as one JUnit document, UTF-8."""
    checks = report["checks"]
    suite = ElementTree.Element(
        "testsuite",
        name=report["exercise"],
        tests=str(len(checks) or 1),
        failures=str(sum(_kind(check) == "failure" for check in checks) or int(_failed_whole(report))),
        errors=str(sum(_kind(check) == "error" for check in checks) or int(report["verdict"] == "error")),
        skipped=str(sum(_kind(check) == "skipped" for check in checks)),
        time=str(report["seconds"]),
    )
    for check in checks:
        _case(suite, report["exercise"], check)
    if not checks:
        _whole(suite, report)
    if report["output"]:
        ElementTree.SubElement(suite, "system-out").text = report["output"]
    root = ElementTree.Element("testsuites")
    root.append(suite)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _case(suite: ElementTree.Element, exercise: str, check: Mapping[str, Any]) -> None:
    name = {"classname": f"{exercise}.{check['mission'] or check['group']}", "name": check["id"]}
    case = ElementTree.SubElement(suite, "testcase", name, time=str(check["seconds"]))
    kind = _kind(check)
    if kind:
        detail = ElementTree.SubElement(case, kind, message=check["message"] or check["title"])
        detail.text = "\n".join(f"{key}: {check[key]}" for key in TOLD if check[key])


def _whole(suite: ElementTree.Element, report: Mapping[str, Any]) -> None:
    """A report without checks (the file did not load, the grader failed) still is one case, not passed."""
    case = ElementTree.SubElement(suite, "testcase", classname=report["exercise"], name="load")
    if report["verdict"] != "passed":
        kind = "failure" if report["verdict"] == "failed" else "error"
        ElementTree.SubElement(case, kind, message=report["message"] or report["verdict"])


def _failed_whole(report: Mapping[str, Any]) -> bool:
    return not report["checks"] and report["verdict"] == "failed"


def _kind(check: Mapping[str, Any]) -> str | None:
    if check["outcome"] == "failed":
        return "skipped" if check["group"] == "stretch" else "failure"
    return {"skipped": "skipped", "error": "error"}.get(check["outcome"])
