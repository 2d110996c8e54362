package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.testing.OnDemand;
import java.io.NotSerializableException;
import java.io.OutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same for the codecs of this module. */
class BaselineOnDemandCargoTest extends OnDemandCargoTest {
  @ParameterizedTest
  @ValueSource(strings = {"java", "java-buffered"})
  void objectStreamRefusesWhatItWouldHoldWhole(String name) {
    ChangeCargo cargo = new OnDemand().of(RandomCargo.of(1, 3_000), 1_000);
    Serializer serializer = Serializers.ofName(name);
    assertThatThrownBy(() -> serializer.writeCargo(cargo, OutputStream.nullOutputStream()))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("is made on demand, an object stream would hold all of it");
  }
}
