package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.Objects;

/** Writes itself, behind a number. */
public final class PassportIdentified extends Passport implements IdentifiedDataSerializable {
  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeString(expiryDate);
    out.writeString(issuingCountry);
    out.writeLong(issuingDate);
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    expiryDate = Objects.requireNonNull(in.readString());
    issuingCountry = Objects.requireNonNull(in.readString());
    issuingDate = in.readLong();
  }

  @Override
  public int getFactoryId() {
    return 1;
  }

  @Override
  public int getClassId() {
    return 2;
  }
}
