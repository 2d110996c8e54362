package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import java.io.IOException;
import java.util.Objects;

/** A passport that writes its fields with their names. */
@SuppressWarnings("removal") // The study compares Portable, which is to be removed.
public class PassportPortable extends Passport implements Portable {
  @Override
  public int getFactoryId() {
    return 2;
  }

  @Override
  public int getClassId() {
    return 2;
  }

  @Override
  public void writePortable(PortableWriter out) throws IOException {
    out.writeString("expiryDate", expiryDate);
    out.writeString("issuingCountry", issuingCountry);
    out.writeLong("issuingDate", issuingDate);
  }

  @Override
  public void readPortable(PortableReader in) throws IOException {
    expiryDate = Objects.requireNonNull(in.readString("expiryDate"));
    issuingCountry = Objects.requireNonNull(in.readString("issuingCountry"));
    issuingDate = in.readLong("issuingDate");
  }
}
