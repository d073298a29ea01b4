"""Which taxonomy elements hold a figure: per metric, in order of preference.

Each choice is a tuple of elements whose sum is meant, so that what one company tags as a whole and
another only in parts is found alike. The elements are of us-gaap and ifrs-full; their names differ
enough to be searched in one list.
"""

Choice = tuple[str, ...]

# Income and cash flow: figures of a period.
FLOWS: dict[str, tuple[Choice, ...]] = {
    "revenue": (
        ("RevenuesNetOfInterestExpense",),
        ("Revenues",),
        # Banks tag contract revenue for their fees alone: what they call revenue is this sum.
        ("InterestIncomeExpenseNet", "NoninterestIncome"),
        ("RevenueFromContractWithCustomerExcludingAssessedTax",),
        ("SalesRevenueNet",),
        ("RevenueFromContractWithCustomerIncludingAssessedTax",),
        ("Revenue",),
        ("RevenueFromContractsWithCustomers",),
        ("RegulatedAndUnregulatedOperatingRevenue",),
        ("HealthCareOrganizationRevenue",),
        ("RealEstateRevenueNet",),
        ("OilAndGasRevenue",),
        ("ElectricUtilityRevenue",),
        ("SalesRevenueGoodsNet", "SalesRevenueServicesNet"),
        ("SalesRevenueGoodsNet",),
        ("SalesRevenueServicesNet",),
        ("OperatingLeasesIncomeStatementLeaseRevenue",),
        ("OperatingLeaseLeaseIncome",),
        ("InterestAndDividendIncomeOperating",),
    ),
    "net_income": (
        ("NetIncomeLoss",),
        ("ProfitLossAttributableToOwnersOfParent",),
        ("ProfitLoss",),
        ("NetIncomeLossAvailableToCommonStockholdersBasic",),
    ),
    "operating_income": (("OperatingIncomeLoss",), ("ProfitLossFromOperatingActivities",)),
    "gross_profit": (("GrossProfit",),),
    "research_and_development": (
        ("ResearchAndDevelopmentExpense",),
        ("ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",),
        ("ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",),
    ),
}

# The balance sheet: figures at a day.
BALANCES: dict[str, tuple[Choice, ...]] = {
    "cash": (
        ("CashAndCashEquivalentsAtCarryingValue",),
        ("CashAndCashEquivalents",),
        ("CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents",),
        ("CashAndDueFromBanks",),
        ("Cash",),
    ),
    "total_assets": (("Assets",),),
    "debt": (
        ("DebtLongtermAndShorttermCombinedAmount",),
        ("LongTermDebtNoncurrent", "LongTermDebtCurrent"),
        ("LongTermDebt",),
        ("LongTermDebtAndCapitalLeaseObligations",),
        ("LongTermDebtNoncurrent",),
        ("Borrowings",),
        ("NoncurrentPortionOfNoncurrentBorrowings", "CurrentBorrowings"),
    ),
}

# Each of these is some company's total; one much below another is a part of it, not the total.
WHOLE_REVENUE = frozenset(
    {
        "Revenues",
        "RevenueFromContractWithCustomerExcludingAssessedTax",
        "SalesRevenueNet",
        "RevenuesNetOfInterestExpense",
    }
)
