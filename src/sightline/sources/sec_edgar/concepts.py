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
        ("RevenuesExcludingInterestAndDividends",),
        ("RegulatedOperatingRevenue",),
        ("RevenueMineralSales",),
        ("ContractsRevenue",),
        ("SalesRevenueGoodsGross",),
        ("SalesRevenueServicesGross",),
        ("RevenueFromSaleOfGoods", "RevenueFromRenderingOfServices"),
        ("RevenueFromSaleOfGoods",),
        ("RevenueFromRenderingOfServices",),
    ),
    "cost_of_revenue": (
        ("CostOfRevenue",),
        ("CostOfGoodsAndServicesSold",),
        ("CostOfGoodsSold", "CostOfServices"),
        ("CostOfGoodsSold",),
        ("CostOfServices",),
        ("CostOfSales",),
    ),
    "net_income": (
        ("NetIncomeLoss",),
        ("ProfitLossAttributableToOwnersOfParent",),
        ("ProfitLoss",),
        ("NetIncomeLossAvailableToCommonStockholdersBasic",),
    ),
    "operating_cash_flow": (
        ("NetCashProvidedByUsedInOperatingActivities",),
        ("NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",),
        ("CashFlowsFromUsedInOperatingActivities",),
    ),
    "capital_expenditure": (
        ("PaymentsToAcquirePropertyPlantAndEquipment",),
        ("PaymentsToAcquireProductiveAssets",),
        ("PaymentsForCapitalImprovements",),
        ("PaymentsToAcquireOtherPropertyPlantAndEquipment",),
        ("PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",),
    ),
    "operating_income": (("OperatingIncomeLoss",), ("ProfitLossFromOperatingActivities",)),
    "gross_profit": (("GrossProfit",),),
    "selling_general_and_administrative": (
        ("SellingGeneralAndAdministrativeExpense",),
        ("SellingAndMarketingExpense", "GeneralAndAdministrativeExpense"),
    ),
    "interest_expense": (
        ("InterestExpense",),
        ("InterestExpenseNonoperating",),
        ("InterestExpenseDebt",),
        ("FinanceCosts",),
    ),
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
        ("DebtInstrumentCarryingAmount",),
        ("LongTermNotesPayable",),
        ("NotesPayable",),
        ("ConvertibleDebtNoncurrent",),
        ("ConvertibleNotesPayable",),
    ),
    "total_liabilities": (("Liabilities",),),
    "equity": (
        ("StockholdersEquity",),
        ("StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",),
        ("EquityAttributableToOwnersOfParent",),
        ("Equity",),
        ("PartnersCapital",),
        ("MembersEquity",),
    ),
    "inventory": (("InventoryNet",), ("Inventories",)),
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
