package io.drayage.study.hazelcast.published.persons;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;

/** A passport for Java's serialization. */
public final class PassportSerializable implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final String expiryDate;
  private final String issuingCountry;
  private final long issuingDate;

  public PassportSerializable(Passport from) {
    expiryDate = from.expiryDate;
    issuingCountry = from.issuingCountry;
    issuingDate = from.issuingDate;
  }

  @Override
  public String toString() {
    return format("%s %s %d", expiryDate, issuingCountry, issuingDate);
  }
}
