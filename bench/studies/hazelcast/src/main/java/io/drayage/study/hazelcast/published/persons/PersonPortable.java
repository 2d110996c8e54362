package io.drayage.study.hazelcast.published.persons;

import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import java.io.IOException;
import java.util.Objects;

/** A person that writes its fields with their names. */
@SuppressWarnings("removal") // The study compares Portable, which is to be removed.
public class PersonPortable extends Person implements Portable {
  @Override
  public int getFactoryId() {
    return 2;
  }

  @Override
  public int getClassId() {
    return 1;
  }

  @Override
  public void writePortable(PortableWriter out) throws IOException {
    out.writeString("firstName", firstName);
    out.writeString("lastName", lastName);
    if (passport == null) {
      out.writeNullPortable("passport", getFactoryId(), 2);
    } else {
      out.writePortable("passport", (Portable) passport);
    }
  }

  @Override
  public void readPortable(PortableReader in) throws IOException {
    firstName = Objects.requireNonNull(in.readString("firstName"));
    lastName = Objects.requireNonNull(in.readString("lastName"));
    passport = (Passport) in.<Portable>readPortable("passport");
  }
}
