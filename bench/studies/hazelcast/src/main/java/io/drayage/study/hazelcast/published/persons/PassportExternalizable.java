package io.drayage.study.hazelcast.published.persons;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serial;

/** A passport that writes itself to Java's streams. */
public final class PassportExternalizable extends Passport implements Externalizable {
  @Serial private static final long serialVersionUID = 1;

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeUTF(expiryDate);
    out.writeUTF(issuingCountry);
    out.writeLong(issuingDate);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    expiryDate = in.readUTF();
    issuingCountry = in.readUTF();
    issuingDate = in.readLong();
  }
}
