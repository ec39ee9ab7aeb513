import com.google.gson.*;
import java.lang.reflect.Method;
import org.apache.xmlbeans.XmlObject;
import org.w3c.dom.*;

/** The stub that Axis2's WSDL2Java generated with XMLBeans, which can leave every element out. */
public class Axis2XmlBeansToolkit extends Axis2Toolkit {
    @Override
    Object request(Class<?> type, JsonObject values) throws Exception {
        JsonObject given = new JsonObject();
        for (String name : values.keySet()) if (!values.get(name).isJsonNull()) given.add(name, values.get(name));
        Object document = Class.forName(type.getName() + "$Factory").getMethod("newInstance").invoke(null);
        for (Method method : type.getMethods()) if (method.getName().startsWith("addNew")) fill(method.invoke(document), given);
        return document;
    }

    @Override
    Object result(Object response) {
        return rootOf(response).getFirstChild();
    }

    @Override
    Object faultOf(Throwable e) throws Exception {
        try {
            return rootOf(e.getClass().getMethod("getFaultMessage").invoke(e));
        } catch (NoSuchMethodException untyped) {
            return null;
        }
    }

    private static Element rootOf(Object document) {
        return ((Document) ((XmlObject) document).getDomNode()).getDocumentElement();
    }
}
