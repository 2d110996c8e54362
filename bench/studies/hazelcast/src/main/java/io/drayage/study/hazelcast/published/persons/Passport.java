package io.drayage.study.hazelcast.published.persons;

import static io.drayage.internal.Texts.format;

public class Passport {
  public String expiryDate = "";
  public String issuingCountry = "";
  public long issuingDate;

  /** Copies the fields. */
  public final <T extends Passport> T copyTo(T target) {
    target.expiryDate = expiryDate;
    target.issuingCountry = issuingCountry;
    target.issuingDate = issuingDate;
    return target;
  }

  @Override
  public final String toString() {
    return format("%s %s %d", expiryDate, issuingCountry, issuingDate);
  }
}
