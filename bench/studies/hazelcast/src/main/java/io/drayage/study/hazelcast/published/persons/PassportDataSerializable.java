package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializable;
import java.io.IOException;
import java.util.Objects;

/** A passport that writes itself, after the name of its class. */
public class PassportDataSerializable extends Passport implements DataSerializable {
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
}
