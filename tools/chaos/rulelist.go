package main

// signIn is the package whose tests sign people in.
const signIn = "./handlers/account"

// accountRules lists the rules about accounts and personal data.
func accountRules() []rule {
	return []rule{
		{"a one-time code works twice", signIn, "TestACodeWorksOnce", []patch{{"internal/account/code.go", "max(now-drift, last+1)", "now - drift"}, {"db/two_step.sql.go", "last_step <", "last_step - 5 <="}}},
		{"a one-time code is good for minutes", "./internal/account", "TestACodeIsValidOnceWithinOneStepOfItsTime", []patch{{"internal/account/code.go", "1", "3"}}},
		{"a recovery code works twice", signIn, "TestAStolenRecoveryCodeIsWorthOneSignIn", []patch{{"db/two_step.sql.go", " AND used_at IS NULL", ""}}},
		{"nobody is told of a used recovery code", signIn, "TestAStolenRecoveryCodeIsWorthOneSignIn", []patch{{"internal/account/secondstep.go", "a.record(ctx, tx, h, h.Email, EventRecoveryUsed, LetterRecoveryUsed)", "nil"}}},
		{"wrong codes are not counted", signIn, "TestGuessingCodesIsLimitedAndNoWeapon", []patch{{"internal/account/secondstep.go", "a.throttle.TakeAll(ctx, counts)", "error(nil)"}}},
		{"a password is enough beside a second step", signIn, "TestAPasswordAloneOpensNothing", []patch{{"db/session.sql.go", "(s.factor", "(true OR s.factor"}}},
		{"a mailed link removes the second step", signIn, "TestAMailedLinkDoesNotPassTheSecondStep", []patch{{"internal/account/reset.go", "queries.AccountVerify(ctx, account)", "queries.AccountVerify(ctx, account), func() error { _, err := queries.TotpDrop(ctx, account); return err }()"}}},
		{"a half sign-in outlives a new password", signIn, "TestAMailedLinkDoesNotPassTheSecondStep", []patch{{"internal/account/reset.go", "queries.HalfSessionEndAll(ctx, account)", "error(nil)"}}},
		{"sessions outlive a new password", signIn, "TestAPasswordIsResetByMailOnce", []patch{{"internal/account/reset.go", "_, err := queries.SessionEndAll(ctx, account, keep)", "err := error(nil)"}}},
		{"sessions outlive new recovery codes", signIn, "TestTakingAFactorAwayEndsEarlierSessions", []patch{{"internal/account/twostep.go", "_, ended := queries.SessionEndAll(ctx, h.ID, h.Session)", "var ended error"}}},
		{"sessions outlive the second step", signIn, "TestTakingAFactorAwayEndsEarlierSessions", []patch{{"internal/account/twostep.go", "_, ended := db.New(tx).SessionEndAll(ctx, h.ID, h.Session)", "var ended error"}}},
		{"sessions outlive a removed passkey", signIn, "TestTakingAFactorAwayEndsEarlierSessions", []patch{{"internal/account/passkey.go", "_, ended := queries.SessionEndAll(ctx, h.ID, h.Session)", "var ended error"}}},
		{"sessions outlive another app", signIn, "TestTheSecondStepMovesToAnotherApp", []patch{{"internal/account/movestep.go", "_, ended := queries.SessionEndAll(ctx, h.ID, h.Session)", "var ended error"}}},
		{"the last codes can be removed", signIn, "TestTheLastFactorStaysWhileItIsNeeded", []patch{{"internal/account/twostep.go", "keys == 0", "keys < 0"}}},
		{"staff work with a password alone", signIn, "TestStaffCanDoNothingWithoutASecondStep", []patch{{"handlers/web/gate.go", "p.Unsecured", "p.Unsecured && !p.Staff"}}},
		{"a challenge is answered twice", signIn, "TestAProofByPasskeyIsGoodOnce", []patch{{"db/passkey.sql.go", "DELETE FROM passkey_challenge", "UPDATE passkey_challenge SET purpose = purpose"}}},
		{"a challenge of another browser is answered", signIn, "TestWrongPasskeyAnswersAreRefused", []patch{{"db/passkey.sql.go", "holder =", "''::bytea <>"}}},
		{"a challenge is good for hours", signIn, "TestWrongPasskeyAnswersAreRefused", []patch{{"db/passkey.sql.go", "$4::interval", "60 * $4::interval"}}},
		{"a passkey that verified nobody signs in", signIn, "TestWrongPasskeyAnswersAreRefused", []patch{{"internal/account/passkeyuse.go", "protocol.VerificationRequired", "protocol.VerificationPreferred"}}},
		{"a passkey that verified nobody is added", signIn, "TestAddingAPasskeyNeedsAProof", []patch{{"internal/account/passkey.go", "protocol.VerificationRequired", "protocol.VerificationPreferred"}}},
		{"pages of any site use passkeys", "./internal/account", "TestPasskeysAreBoundToOneName", []patch{{"internal/account/passkey.go", `(u.Hostname() == id || strings.HasSuffix(u.Hostname(), "."+id))`, "u != nil"}}},
		{"a passkey signs in under another name", signIn, "TestWrongPasskeyAnswersAreRefused", []patch{{"db/passkey.sql.go", "p.account_id =", "gen_random_uuid() <>"}}},
		{"another's passkey is a proof", signIn, "TestAPasskeyIsAProof", []patch{{"internal/account/passkeyuse.go", " || l.only != uuid.Nil && id != l.only", ""}}},
		{"a copied passkey signs in", signIn, "TestACopiedPasskeyIsRefusedAndNoted", []patch{{"internal/account/passkeyuse.go", "key.Authenticator.CloneWarning", "false"}, {"db/passkey.sql.go", "(sign_count", "(true OR sign_count"}}},
		{"a passkey is added without a proof", signIn, "TestAddingAPasskeyNeedsAProof", []patch{{"handlers/account/passkeys.go", "web.Prove(r)", "error(nil)"}}},
		{"a proof holds for hours", signIn, "TestAProofHoldsForTenMinutes", []patch{{"db/session.sql.go", "secs => $1", "secs => 60 * $1"}}},
		{"a password proves beside a second step", signIn, "TestAProofTakesACodeWhereThereIsASecondStep", []patch{{"internal/account/prove.go", "!user.TwoStep", "(true || user.TwoStep)"}}},
		{"a session keeps its id after a proof", signIn, "TestASentFormGoesThroughAfterAProof", []patch{{"handlers/web/proof.go", "newID()", "session.ID"}}},
		{"another session sends a kept form", signIn, "TestOnlyItsSessionSendsAKeptFormOnceToItsAddress", []patch{{"handlers/web/proof.go", `+ " of " + p.Session.String()`, ""}, {"db/kept_form.sql.go", "session =", "gen_random_uuid() <>"}, {"db/kept_form.sql.go", "session =", "gen_random_uuid() <>"}}},
		{"a planted session becomes that of a sign-in", signIn, "TestASignInReplacesAPlantedSession", []patch{{"handlers/web/session.go", `session.ID = ""`, "_ = session.ID"}}},
		{"the session of before a sign-in goes on", signIn, "TestASignInReplacesAPlantedSession", []patch{{"handlers/web/session.go", `session.ID != ""`, "false"}}},
		{"data is copied without a proof", signIn, "TestDownloadingAndErasingDataNeedAProof", []patch{{"handlers/account/data.go", "web.Prove(r)", "error(nil)"}}},
		{"an erasure does not wait", "./internal/privacy", "TestAnErasureWaitsAndCanBeCancelled", []patch{{"internal/privacy/ask.go", "7 * 24", "0"}}},
		{"a mailed link erases another payer", "./handlers/receipt", "TestOnlyTheMailedLinkErasesAPayer", []patch{{"handlers/receipt/erase.go", "asked.Receipt != token", "asked.Receipt == \"\""}}},
		{"an address that was named later erases the payer", "./handlers/receipt", "TestAnAddressNamedLaterErasesNobody", []patch{{"internal/receipt/receipts.go", "r.Named", "false"}}},
		{"a payer is erased while money moves", "./internal/privacy", "TestAPayerIsNotErasedWhileMoneyMoves", []patch{{"internal/privacy/payer.go", "case row.Moving", "case row.Moving && transaction == \"\""}}},
		{"an older secret reads nothing", "./internal/secret", "TestARingReadsWithAllSecretsAndWritesWithTheNewest", []patch{{"internal/secret/ring.go", "range r.versions", "range r.versions[:1]"}}},
	}
}
